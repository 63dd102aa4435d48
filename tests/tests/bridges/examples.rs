//! The examples in `tests/bridges/` come out as they say.

use mcprism_tests::bridging::examples::{check, files};

#[test]
fn every_example_comes_out_as_it_says() {
    let files = files();
    assert!(files.len() >= 40, "{} examples", files.len());
    let wrong = files.iter().filter_map(|file| {
        let text = std::fs::read_to_string(file).expect("it can be read");
        let name = file.file_stem().expect("it has a name").display().to_string();
        check(&text).err().map(|wrong| format!("{name}: {wrong}"))
    });
    let wrong: Vec<String> = wrong.collect();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), files.len(), wrong.join("\n"));
}
