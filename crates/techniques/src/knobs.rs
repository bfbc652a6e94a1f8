//! Declaring knobs.

/// Declares the knobs of a technique: a struct with their values, the list with their ranges, and the function that reads
/// them. Each line holds the key, the field, its type, the default, the range and the meaning. A range is
///
/// - `number(RANGE)` for a number,
/// - `auto(RANGE)` for a number or the word `auto`, in an `Option`,
/// - `switch()` for `on` or `off`,
/// - `words("WORD" => VALUE, ..)` for one of a few words,
/// - `named(WORDS, READ)` for one of a list of words, which a function turns into a value,
/// - `text(SYNTAX, READ)` for anything that a function accepts.
macro_rules! knobs {
    (
        $(#[$attribute:meta])*
        $visibility:vis struct $name:ident {
            $($key:literal $field:ident: $type:ty = $default:expr, $kind:ident($($range:tt)*), $meaning:expr;)*
        }
    ) => {
        $(#[$attribute])*
        #[derive(Clone, Debug)]
        $visibility struct $name {
            $($field: $type,)*
        }

        impl $name {
            /// The declarations, in the order in which they are shown.
            pub(crate) const LIST: &'static [model::Knob] = &[
                $(knobs!(@knob $key, $default, $meaning, $kind($($range)*)),)*
            ];

            /// Reads the values that the user chose, or the defaults.
            pub(crate) fn read(technique: &str, settings: &model::Settings) -> Result<$name, model::SettingError> {
                Ok($name {
                    $($field: {
                        let knob = knobs!(@knob $key, $default, $meaning, $kind($($range)*));
                        settings.read(technique, &knob, knobs!(@read $kind($($range)*)))?
                    },)*
                })
            }
        }
    };
    (@knob $key:literal, $default:expr, $meaning:expr, $kind:ident($($range:tt)*)) => {
        model::Knob {
            key: $key,
            default: $default,
            meaning: $meaning,
            range: knobs!(@range $kind($($range)*)),
        }
    };
    (@range number($allowed:expr)) => { model::KnobRange::Number($allowed) };
    (@range auto($allowed:expr)) => { model::KnobRange::NumberOrAuto($allowed) };
    (@range switch()) => { model::KnobRange::Words(&["on", "off"]) };
    (@range words($($word:literal => $value:expr),*)) => { model::KnobRange::Words(&[$($word),*]) };
    (@range named($words:expr, $read:expr)) => { model::KnobRange::Words($words) };
    (@range text($syntax:expr, $read:expr)) => {
        model::KnobRange::Text { syntax: $syntax, check: |text| $read(text).map(drop) }
    };
    (@read number($allowed:expr)) => { |text: &str| text.parse().ok() };
    (@read auto($allowed:expr)) => { |text: &str| Some(text.parse().ok()) };
    (@read switch()) => { |text: &str| Some(text == "on") };
    (@read words($($word:literal => $value:expr),*)) => {
        |text: &str| match text {
            $($word => Some($value),)*
            _ => None,
        }
    };
    (@read named($words:expr, $read:expr)) => { |text: &str| $read(text) };
    (@read text($syntax:expr, $read:expr)) => { |text: &str| $read(text).ok() };
}

pub(crate) use knobs;
