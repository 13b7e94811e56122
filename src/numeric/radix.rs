//! Radix sort for many numbers, eight bits at a time, in linear time.

/// Number of values of eight bits.
const DIGITS: usize = 256;

/// Sorts f64 in ascending order; -0 comes before 0. The order is that of [`f64::total_cmp`], without
/// comparisons. It sorts by bits, least significant byte first, once the sign is turned into a digit like the
/// others.
pub fn sort_numbers(values: &mut [f64]) {
    let mut keys: Vec<u64> = values.iter().map(|value| key(value.to_bits())).collect();
    let mut counts = [[0u32; DIGITS]; 8];
    for &key in &keys {
        for (byte, counts) in key.to_le_bytes().into_iter().zip(&mut counts) {
            counts[byte as usize] += 1;
        }
    }
    let mut other = vec![0; keys.len()];
    for (byte, counts) in counts.iter().enumerate() {
        // Every number has the same digit here: small whole numbers are mostly zero bytes.
        if counts.iter().any(|&count| count as usize == keys.len()) {
            continue;
        }
        let mut places = [0u32; DIGITS];
        for digit in 1..DIGITS {
            places[digit] = places[digit - 1] + counts[digit - 1];
        }
        for &key in &keys {
            let place = &mut places[(key >> (8 * byte)) as usize % DIGITS];
            other[*place as usize] = key;
            *place += 1;
        }
        std::mem::swap(&mut keys, &mut other);
    }
    for (value, key) in values.iter_mut().zip(keys) {
        *value = f64::from_bits(unkey(key));
    }
}

/// Positions of numbers in ascending order; ties keep their order. The order is that of [`f64::total_cmp`].
pub fn sorted_positions(values: &[f64]) -> Vec<u32> {
    let mut pairs: Vec<(u64, u32)> = values.iter().map(|value| key(value.to_bits())).zip(0..).collect();
    let mut other = pairs.clone();
    for byte in 0..8 {
        let digit = |key: u64| (key >> (8 * byte)) as usize % DIGITS;
        let mut next = [0usize; DIGITS + 1];
        pairs.iter().for_each(|&(key, _)| next[digit(key) + 1] += 1);
        if next.contains(&pairs.len()) {
            continue;
        }
        for at in 1..=DIGITS {
            next[at] += next[at - 1];
        }
        for &pair in &pairs {
            let at = &mut next[digit(pair.0)];
            other[*at] = pair;
            *at += 1;
        }
        std::mem::swap(&mut pairs, &mut other);
    }
    pairs.into_iter().map(|(_, at)| at).collect()
}

/// Sorts pairs by their first number, from the last byte to the first; ties keep their order. It is a few
/// lines, while the standard library's sort is compiled for every type and is slower on numbers.
pub fn sort_pairs(pairs: &mut Vec<(f32, u32)>) {
    // The bits of positive numbers are in ascending order; those of negative numbers are in descending order,
    // and below.
    let key = |z: f32| if z.is_sign_negative() { !z.to_bits() } else { z.to_bits() | 1 << 31 };
    let mut other = pairs.clone();
    for shift in [0, 8, 16, 24] {
        let byte = |z: f32| (key(z) >> shift) as usize & 255;
        let mut next = [0usize; 257];
        pairs.iter().for_each(|&(z, _)| next[byte(z) + 1] += 1);
        for at in 1..257 {
            next[at] += next[at - 1];
        }
        for &pair in pairs.iter() {
            let at = &mut next[byte(pair.0)];
            other[*at] = pair;
            *at += 1;
        }
        std::mem::swap(pairs, &mut other);
    }
}

/// Bits that ascend with the number: negative numbers are inverted, the others are put above them.
fn key(bits: u64) -> u64 {
    if bits >> 63 == 1 { !bits } else { bits | 1 << 63 }
}

fn unkey(key: u64) -> u64 {
    if key >> 63 == 1 { key & !(1 << 63) } else { !key }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numeric::random::Random;

    #[test]
    fn numbers_are_sorted_as_by_comparison() {
        let mut random = Random::new(1);
        let mut values =
            vec![0.0, -0.0, 1.0, -1.0, f64::MAX, f64::MIN, f64::MIN_POSITIVE, f64::INFINITY, -5e-324];
        values.extend((0..2000).map(|_| f64::from_bits(random.bits())).filter(|value| !value.is_nan()));
        values.extend((0..500).map(|_| random.below(40) as f64 - 20.0));
        let mut expected = values.clone();
        expected.sort_by(f64::total_cmp);
        let unsorted = values.clone();
        sort_numbers(&mut values);
        assert!(values.iter().zip(&expected).all(|(a, b)| a.to_bits() == b.to_bits()));
        let mut positions: Vec<u32> = (0..unsorted.len() as u32).collect();
        positions.sort_by(|&a, &b| unsorted[a as usize].total_cmp(&unsorted[b as usize]));
        assert_eq!(sorted_positions(&unsorted), positions);
        sort_numbers(&mut []);
        let mut one = [3.0];
        sort_numbers(&mut one);
        assert_eq!(one, [3.0]);
    }
}
