//! The project's own commands: `cargo xtask serve`, `build`, `test`, `bench`, `check`.
//!
//! Each command installs missing tools, so a fresh clone needs only rustup, Node and a C linker. There is one
//! file per concern:
//!
//! | file | holds |
//! | --- | --- |
//! | `project` | where things are |
//! | `process` | calling other programs |
//! | `recipe`, `versions` | what to build, read from wasm-pack.toml and Cargo.lock |
//! | `setup`, `browser`, `python` | finding or installing the tools |
//! | `wasm`, `site`, `sizes` | the build: package, page, size table |
//! | `serve`, `http` | the static server |
//! | `report`, `test`, `check`, `bench` | running many programs and reporting how each ended |

mod bench;
mod browser;
mod check;
mod http;
mod process;
mod project;
mod python;
mod recipe;
mod report;
#[cfg(test)]
mod scratch;
mod serve;
mod setup;
mod site;
mod sizes;
mod test;
mod versions;
mod wasm;

use std::process::ExitCode;

/// The result of a step: a value, or one line that says what failed and what to do.
type Outcome<T = ()> = Result<T, String>;

const USAGE: &str = "\
Usage: cargo xtask <command>

  serve [--port N]   build the page and serve it on http://localhost:8080
  build              build the static site into dist/ and print its sizes
  test               every test: native, wasm in a browser, page, end to end
  bench [ARGS]       benchmarks, native and wasm; ARGS go to each of them
  check              format, lints and types, without building anything

Each command first installs what is missing (wasm32 target, npm packages, for `test` a browser
and a Python environment with the programs that read exports).
Environment: CHROMIUM and CHROMEDRIVER name a browser and its driver outside PATH.";

/// A command with its arguments, ready to run.
#[derive(Debug, PartialEq)]
enum Command {
    Help,
    Serve { port: u16 },
    Build,
    Test,
    Bench { args: Vec<String> },
    Check,
}

/// Parses the arguments after `cargo xtask`; the error is one line.
fn parse(args: &[String]) -> Outcome<Command> {
    let Some((name, rest)) = args.split_first() else {
        return Ok(Command::Help);
    };
    let wants_help = |arg: &String| arg == "--help" || arg == "-h";
    let command = match name.as_str() {
        "--help" | "-h" | "help" => return Ok(Command::Help),
        // A benchmark program has its own --help.
        "bench" if rest.first().is_some_and(wants_help) => return Ok(Command::Help),
        "bench" => {
            return Ok(Command::Bench { args: rest.to_vec() });
        }
        "serve" | "build" | "test" | "check" if rest.iter().any(wants_help) => {
            return Ok(Command::Help);
        }
        "serve" => return parse_serve(rest),
        "build" => Command::Build,
        "test" => Command::Test,
        "check" => Command::Check,
        _ => {
            return Err(format!("unknown command `{name}`; there are serve, build, test, bench and check"));
        }
    };
    match rest.first() {
        None => Ok(command),
        Some(extra) => Err(format!("`{name}` takes no argument, but got `{extra}`")),
    }
}

/// `serve` and its one flag, as `--port N` or `--port=N`.
fn parse_serve(rest: &[String]) -> Outcome<Command> {
    let mut port = 8080;
    let mut rest = rest.iter();
    while let Some(arg) = rest.next() {
        let value = if arg == "--port" {
            rest.next().map(String::as_str)
        } else if let Some(value) = arg.strip_prefix("--port=") {
            Some(value)
        } else {
            return Err(format!("`serve` does not know `{arg}`; it takes --port N"));
        };
        let value = value.ok_or("--port needs a number, for example --port 8081")?;
        port =
            value.parse().map_err(|_| format!("--port needs a number from 0 to 65535, but got `{value}`"))?;
    }
    Ok(Command::Serve { port })
}

fn run(command: Command) -> Outcome {
    match command {
        Command::Help => {
            println!("{USAGE}");
            Ok(())
        }
        Command::Serve { port } => serve::serve(port),
        Command::Build => site::build(&project::Project::find()?),
        Command::Test => test::test(),
        Command::Bench { args } => bench::bench(&args),
        Command::Check => check::check(),
    }
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let command = match parse(&args) {
        Ok(command) => command,
        Err(message) => {
            eprintln!("xtask: {message} (see `cargo xtask --help`)");
            return ExitCode::from(2);
        }
    };
    match run(command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, expected: Result<Command, &str>) {
        let args: Vec<String> = line.split_whitespace().map(String::from).collect();
        match (parse(&args), expected) {
            (Ok(command), Ok(wanted)) => assert_eq!(command, wanted, "{line}"),
            (Err(message), Err(part)) => assert!(message.contains(part), "{line}: {message}"),
            (found, wanted) => panic!("{line}: {found:?}, expected {wanted:?}"),
        }
    }

    #[test]
    fn arguments_are_understood() {
        check("", Ok(Command::Help));
        check("--help", Ok(Command::Help));
        check("serve", Ok(Command::Serve { port: 8080 }));
        check("serve --port 9000", Ok(Command::Serve { port: 9000 }));
        check("serve --port=9000", Ok(Command::Serve { port: 9000 }));
        check("serve --help", Ok(Command::Help));
        check("test", Ok(Command::Test));
        check("bench cart --quick", Ok(Command::Bench { args: vec!["cart".into(), "--quick".into()] }));
    }

    #[test]
    fn wrong_usage_is_named() {
        check("srve", Err("unknown command `srve`"));
        check("serve --prot 1", Err("does not know `--prot`"));
        check("serve --port", Err("--port needs a number"));
        check("serve --port 70000", Err("got `70000`"));
        check("build --fast", Err("got `--fast`"));
    }
}
