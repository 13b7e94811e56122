/// Prints a line of bits per row: the leaf as a double, then the outputs.
fn print(folder: &str, name: &str, predict: impl Fn(&[f64]) -> (usize, Vec<f64>)) {
    let text = std::fs::read_to_string(format!("{folder}/{name}/rows.bits")).expect("the rows");
    for line in text.lines() {
        let row: Vec<f64> = line.split(' ').map(|bits| f64::from_bits(bits.parse().expect("bits"))).collect();
        let (leaf, outputs) = predict(&row);
        let numbers = std::iter::once(leaf as f64).chain(outputs).map(|number| number.to_bits().to_string());
        println!("{}", numbers.collect::<Vec<_>>().join(" "));
    }
}
