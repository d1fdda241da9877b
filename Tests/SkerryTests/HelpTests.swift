import Testing

@testable import skerry

/// What people read, whole.
@Suite struct HelpTests {
    @Test func program() {
        #expect(
            Main.help == """
                Usage: skerry COMMAND [OPTION]... [OPERAND]...

                Finds iBeacons and other Bluetooth LE beacons and tells what is near, and which
                regions are entered and left, as JSON lines.

                  scan       hear what is on the air
                  record     the same, and keep what was heard as a capture
                  replay     play captures of Bluetooth traffic
                  decode     explain the bytes of single advertisements
                  calibrate  what to set for a beacon at one metre, or for a compass
                  evaluate   measure distances, zones and exits on labelled recordings
                  doctor     what this machine lacks for scanning, and what changes that

                'skerry help COMMAND' tells more. 'skerry --version' prints the version.

                """)
    }

    @Test func replay() {
        #expect(
            ReplayCommand.help == """
                Usage: skerry replay [OPTION]... [CAPTURE]...

                Plays captures of Bluetooth traffic and logs of receivers on a virtual clock,
                merged by time, and prints what a scanner would have told. Reads btsnoop, pcap,
                pcapng, Apple PacketLogger and hcidump files, told apart by content; - is
                standard input. Without --region, every iBeacon is ranged in the region *.

                  --region NAME=ID         range and monitor a beacon region, repeatable. ID is
                                           UUID[/MAJOR[/MINOR]]; what is left out matches any
                  --fence NAME=CIRCLE      monitor a circle on the ground, repeatable:
                                           LAT,LON,RADIUS in degrees and metres
                  --config FILE            regions and settings from a file; options win
                  --state FILE             keep the states of regions there, and go on from them
                  --events LIST            events to print, with commas between: start,
                                           advertisement, ranging, region, location, heading,
                                           guidance, scanner, error, statistics (default: all
                                           but advertisement)
                  --format FORMAT          json, table or geojson, a map (default: table on a
                                           terminal where none of --events, --count and --output
                                           is given, else json, which alone takes --events and
                                           --count)
                  --profile NAME           estimator and exit rules: adaptive (the default),
                                           apple or altbeacon
                  --speed N                N times as fast as recorded, or max (the default)
                  --follow                 at the end of a file wait for more
                  --gps FILE               play a log of a receiver too, repeatable: gpsd's
                                           JSON, or what a receiver sent, which gpsdecode reads
                  --gps-offset TIME        add to all times of these logs: seconds, or 5m, -2h,
                                           1d
                  -o, --output FILE        write the events to a file, as > of a shell does; -
                                           is standard output
                  --count N                end after N events were printed; the statistics, if
                                           they are wanted, are one more
                  --for TIME               end after so many seconds of the recording, or 5m,
                                           2h, 1d
                  --distance-filter METRES
                                           tell a location only so far from the last one told
                  --significant            tell locations only 500 m apart, at most every 5
                                           minutes, whatever a distance filter says
                  --heading-filter DEGREES
                                           tell a heading only so far from the last one told
                                           (default: 1)
                  --geotag                 put location and heading into advertisement and
                                           ranging too
                  --destination LAT,LON    tell the way there, in degrees, as guidance events
                  --arrival-radius METRES  from the destination, that count as there (default:
                                           500)
                  -h, --help               print this

                Examples:
                  skerry replay --region a=E2C56DB5-DFFB-48D2-B060-D0F5A71096E0 btsnoop_hci.log
                  skerry replay --format table --speed 10 --gps walk.json walk.btsnoop

                """)
    }

    @Test func decode() {
        #expect(
            DecodeCommand.help == """
                Usage: skerry decode [--kind KIND] HEX...
                       skerry decode [--kind KIND] -

                Explains payloads given as hexadecimal digits, one JSON object for each: the
                beacons and all AD structures. Bytes may stand apart (02 01 06, 02:01:06,
                02-01-06) and begin with 0x. With -, reads one payload a line from standard
                input.

                  --kind KIND              what the bytes are: h4, ad, scan_record, mfr or ll;
                                           without it, their beginning tells
                  -h, --help               print this

                Kinds: h4           an HCI packet from its type byte on (begins 04 3E)
                       ad           advertising data: AD structures
                       scan_record  what Android hands out: data, scan response, zeros
                       mfr          manufacturer data from its company on (4C 00 or .. .. BE AC)
                       ll           a link-layer packet from its address on (begins D6 BE 89 8E)

                Examples:
                  skerry decode 0201061aff4c000215e2c56db5dffb48d2b060d0f5a71096e000640001c5
                  cut -d, -f3 payloads.csv | skerry decode --kind ad -

                """)
    }

    /// A terminal has 80 columns.
    @Test(arguments: Command.all.map(\.name)) func everyLineFitsInto80Columns(name: String) throws {
        let command = try Command.named(name)
        let long = (command.help() + Main.help).split(separator: "\n").filter { $0.count > 80 }
        #expect(long.isEmpty)
        #expect(command.options().allSatisfy { !$0.help.isEmpty && !$0.help.contains("\n") })
        #expect(command.options().last?.name == "--help")
        #expect(command.help().contains("skerry " + name))
    }

    @Test func namesAreFoundAndNearOnesSuggested() throws {
        #expect(try Command.named("record").summary == "the same, and keep what was heard as a capture")
        #expect(throws: UsageError("unknown command recrod; did you mean record?")) { try Command.named("recrod") }
        #expect(throws: UsageError("unknown command x")) { try Command.named("x") }
    }
}
