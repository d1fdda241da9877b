import Testing

/// Tests of the program from outside. One at a time: a child must not inherit the pipes of another.
@Suite(.serialized) enum EndToEndTests {}
