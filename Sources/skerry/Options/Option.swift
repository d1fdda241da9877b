/// What is written of an option: by `--help`, in the manual page, in errors.
protocol OptionText: Sendable {
    /// With its dashes: `--events`.
    var name: String { get }
    /// A letter that means the same: `o` for `-o`.
    var letter: Character? { get }
    /// How people call the value; `nil` for a flag.
    var value: String? { get }
    /// What it does, with units and the default: one paragraph, without line breaks.
    var help: String { get }
    /// Whether it may be given more than once. A flag may be in any case: twice is no more than once.
    var isRepeatable: Bool { get }
}

/// One option of a command: its name, its value, what it means, and what it does to the settings.
struct Option<Settings>: OptionText {
    let name: String
    let letter: Character?
    let value: String?
    let isRepeatable: Bool
    let help: String
    let apply: @Sendable (inout Settings, String) throws(UsageError) -> Void

    init(
        name: String, letter: Character? = nil, value: String?, isRepeatable: Bool = false, help: String,
        apply: @escaping @Sendable (inout Settings, String) throws(UsageError) -> Void
    ) {
        self.name = name
        self.letter = letter
        self.value = value
        self.isRepeatable = isRepeatable
        self.help = help
        self.apply = apply
    }

    /// `--help`, which every command has.
    ///
    /// - Parameter place: Where the command keeps that it is wanted.
    static func help(_ place: any WritableKeyPath<Settings, Bool> & Sendable) -> Option {
        Option(name: "--help", letter: "h", value: nil, help: "print this") { (settings, _) in
            settings[keyPath: place] = true
        }
    }
}
