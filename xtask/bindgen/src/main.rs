//! Makes a compiled browser half loadable by a page, and compresses what is served.
//!
//! Started by `cargo xtask` only; a program of its own so that the quick commands need not compile it.

use std::fs::File;
use std::io::{BufReader, BufWriter};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use brotli::enc::BrotliEncoderParams;
use wasm_bindgen_cli_support::Bindgen;

/// The name that the served pages ask for: `replygate.js`, `replygate_bg.wasm`.
const NAME: &str = "replygate";

const USAGE: &str = "usage: xtask-bindgen bind INPUT.wasm FOLDER | xtask-bindgen compress FOLDER";

fn main() -> Result<()> {
    let arguments: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    match arguments.as_slice() {
        [verb, input, folder] if verb.as_os_str() == "bind" => bind(input, folder),
        [verb, folder] if verb.as_os_str() == "compress" => compress_all(folder),
        _ => bail!("{USAGE}"),
    }
}

/// Writes the script and the module that a page loads.
fn bind(input: &Path, folder: &Path) -> Result<()> {
    Bindgen::new()
        .input_path(input)
        .web(true)?
        .typescript(false)
        .keep_debug(false)
        .remove_name_section(true)
        .out_name(NAME)
        .generate(folder)
        .with_context(|| format!("cannot bind {}", input.display()))
}

/// Puts a `.br` beside each file of the folder.
fn compress_all(folder: &Path) -> Result<()> {
    for entry in
        std::fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?
    {
        let file = entry?.path();
        let compressed = file.extension().is_some_and(|extension| extension == "br");
        if file.is_file() && !compressed {
            compress(&file)?;
        }
    }
    Ok(())
}

fn compress(file: &Path) -> Result<()> {
    let mut target = file.as_os_str().to_owned();
    target.push(".br");
    let mut input = BufReader::new(File::open(file)?);
    let mut output = BufWriter::new(File::create(&target)?);
    brotli::BrotliCompress(&mut input, &mut output, &BrotliEncoderParams::default())
        .with_context(|| format!("cannot compress {}", file.display()))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_compressed_file_reads_back_and_is_not_compressed_again() {
        let folder = std::env::temp_dir().join(format!("bindgen-test-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("a.css"), "body { margin: 0 }").unwrap();

        compress_all(&folder).unwrap();
        compress_all(&folder).unwrap();

        let mut text = Vec::new();
        let mut packed = File::open(folder.join("a.css.br")).unwrap();
        brotli::BrotliDecompress(&mut packed, &mut text).unwrap();
        assert_eq!(text, b"body { margin: 0 }");
        assert!(!folder.join("a.css.br.br").exists());
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
