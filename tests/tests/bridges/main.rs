//! What conversions between revisions promise, held against the official schemas.

mod cases;
mod doubled;
mod examples;
mod instances;
mod lines;
mod planted;
mod robust;
mod typed;

use mcprism_types::ProtocolVersion;

/// Tests of their own run side by side; this list has to be whole.
macro_rules! each_revision {
    ($($name:ident $version:ident),*) => {
        #[test]
        fn each_revision_is_tested() {
            assert_eq!(ProtocolVersion::ALL, [$(ProtocolVersion::$version),*]);
        }

        $(
        mod $name {
            use super::*;

            #[test]
            fn valid_stays_valid() {
                instances::stays_valid(ProtocolVersion::$version);
            }

            #[test]
            fn there_and_back() {
                instances::comes_back(ProtocolVersion::$version);
            }

            #[test]
            fn down_and_up() {
                instances::is_found_again(ProtocolVersion::$version);
            }

            #[test]
            fn vendors() {
                planted::vendor_members_survive(ProtocolVersion::$version);
            }

            #[test]
            fn foreigners() {
                planted::foreign_members(ProtocolVersion::$version);
            }

            #[test]
            fn keeping() {
                planted::keeps_more(ProtocolVersion::$version);
            }

            #[test]
            fn faults_are_refused() {
                robust::faults_are_refused(ProtocolVersion::$version);
            }

            #[test]
            fn faults_are_not_mended_in_silence() {
                robust::nothing_is_mended_in_silence(ProtocolVersion::$version);
            }
        }
        )*
    };
}

each_revision!(
    v2024_11_05 V2024_11_05,
    v2025_03_26 V2025_03_26,
    v2025_06_18 V2025_06_18,
    v2025_11_25 V2025_11_25,
    v2026_07_28 V2026_07_28
);
