// SettingReference: docs/configuration.md, written from the table of settings.

/// The reference of settings, written from their table so that it cannot fall behind.
public enum SettingReference {
    /// The whole page.
    public static var markdown: String {
        let defaults = Configuration()
        var text = """
            # Settings

            Written by `chalkline config reference`; a test compares the two.

            A setting is a flag (`--model-name`), a variable (`CHALKLINE_MODEL_NAME`) or a line of the file that `--config`
            or `CHALKLINE_CONFIG` names (`model_name = …`; `#` begins a comment). Flags beat variables, which beat the file,
            which beats the defaults. An unknown name is an error that names the nearest one. A secret is no flag, since
            every user can read command lines; it may be read from the file that `CHALKLINE_…_FILE` names, and is never
            printed.

            `chalkline config print` shows the values in force, `chalkline config check` whether they are good.

            | setting | default | meaning |
            | --- | --- | --- |

            """
        for setting in Setting.all {
            let value = setting.show(defaults)
            let shown = setting.isSecret ? "none" : value.isEmpty ? "empty" : "`\(value)`"
            text += "| `\(setting.name)` | \(shown) | \(setting.isSecret ? "Secret. " : "")\(setting.meaning) |\n"
        }
        return text
    }
}
