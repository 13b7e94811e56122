//! Converts file values to design values.

use nalgebra::DMatrix;

use super::categorical::{Categories, MANY, TargetMeans, indicators, outcomes};
use super::column::{Column, Source};
use super::numeric::{Scale, Scaling};
use super::{Design, Labels, Missing, Wants};
use crate::numeric::random::Random;
use crate::tree::{Feature, FeatureKind};

/// A fitted encoding.
#[derive(Debug, Clone, PartialEq)]
pub struct Encoder {
    pub(super) columns: Vec<Column>,
    /// The number of categories of each feature; 0 if it is numeric.
    pub(super) categories: Vec<usize>,
    /// File values of all samples whose routes must not change in decoding (P × N).
    pub(super) seen: DMatrix<f32>,
    /// Whether target means leave out a training sample's own outcome.
    leave_one_out: bool,
}

impl Encoder {
    /// Fits the encoding that a learner asks for. `fitted` (P × N) has the file values of the training
    /// samples and `labels` (N) their labels; means, medians and quantiles come from these. `seen` has the
    /// file values of all samples whose routes must not change under [`super::Thresholds::Tidy`].
    pub fn fit(
        features: &[Feature],
        fitted: &DMatrix<f32>,
        labels: &Labels,
        seen: &DMatrix<f32>,
        wants: &Wants,
        seed: u64,
    ) -> Encoder {
        let outcomes = outcomes(labels);
        let mut random = Random::stream(seed, "quantile noise");
        let mut columns = vec![];
        let mut categories = vec![];
        for (feature, Feature { kind, .. }) in features.iter().enumerate() {
            let values = || fitted.row(feature).iter().copied().collect::<Vec<f32>>();
            match kind {
                FeatureKind::Numerical { .. } => {
                    categories.push(0);
                    columns.extend(number(feature, &values(), wants, &mut random));
                }
                FeatureKind::Categorical { categories: words } => {
                    categories.push(words.len());
                    if wants.categories != Categories::Omit {
                        columns.extend(category(
                            feature,
                            &values(),
                            words.len(),
                            &outcomes,
                            wants,
                            &mut random,
                        ));
                    }
                }
            }
        }
        let leave_one_out = matches!(wants.categories, Categories::LeaveOneOut | Categories::AllLeaveOneOut);
        Encoder { columns, categories, seen: seen.clone(), leave_one_out }
    }

    /// The number of design columns.
    pub(crate) fn columns(&self) -> usize {
        self.columns.len()
    }

    /// The feature that a design column encodes.
    pub(crate) fn feature_of(&self, column: usize) -> usize {
        self.columns[column].feature
    }

    /// The feature of each design column.
    pub(crate) fn features(&self) -> Vec<usize> {
        self.columns.iter().map(|column| column.feature).collect()
    }

    /// The columns that cannot be decoded from a weighted sum: all but affinely scaled numbers.
    pub(crate) fn apart(&self) -> Vec<usize> {
        let sums = |column: &Column| {
            matches!((&column.source, &column.scaling), (Source::Number { .. }, Scaling::Affine { .. }))
        };
        (0..self.columns.len()).filter(|&at| !sums(&self.columns[at])).collect()
    }

    /// Encodes samples as new ones. `values` is P × N.
    pub fn design(&self, values: &DMatrix<f32>, y: Labels) -> Design {
        let x = DMatrix::from_fn(self.columns.len(), values.ncols(), |column, sample| {
            let column = &self.columns[column];
            column.encode(values[(column.feature, sample)])
        });
        Design { x, y }
    }

    /// Encodes the training samples for training: no target mean includes the sample's own outcome. `None` if
    /// there are no such means, because then training samples are encoded like new ones.
    pub(crate) fn training_design(&self, values: &DMatrix<f32>, y: Labels) -> Option<Design> {
        let has_means = self.columns.iter().any(|column| matches!(column.source, Source::Target { .. }));
        if !self.leave_one_out || !has_means {
            return None;
        }
        let outcomes = outcomes(&y);
        let x = DMatrix::from_fn(self.columns.len(), values.ncols(), |column, sample| {
            let Column { feature, source, scaling } = &self.columns[column];
            scaling
                .apply(source.read_trained(values[(*feature, sample)], |outcome| outcomes[outcome][sample]))
        });
        Some(Design { x, y })
    }
}

/// The design columns of a numeric feature.
fn number(feature: usize, values: &[f32], wants: &Wants, random: &mut Random) -> Vec<Column> {
    let present: Vec<f32> = values.iter().copied().filter(|value| !value.is_nan()).collect();
    let scaling = Scaling::fit(wants.scale, &present, wants.quantile_noise, random);
    let source = Source::Number { fill: wants.missing.fill(&present) };
    let mut columns = vec![Column { feature, source, scaling }];
    if wants.missing.is_shown(values.iter().copied()) {
        columns.push(zeros_and_ones(feature, Source::Missing { words: false }, values, wants));
    }
    columns
}

/// The design columns of a categorical feature: indicators if there are few categories, unless means are
/// wanted for all; otherwise one target mean per outcome.
fn category(
    feature: usize,
    codes: &[f32],
    categories: usize,
    outcomes: &[Vec<f64>],
    wants: &Wants,
    random: &mut Random,
) -> Vec<Column> {
    if categories < MANY && wants.categories != Categories::AllLeaveOneOut {
        let missing = codes.iter().any(|code| code.is_nan());
        let shown = indicators(categories, missing);
        return shown
            .map(|category| zeros_and_ones(feature, Source::Indicator { category }, codes, wants))
            .collect();
    }
    let mut columns: Vec<Column> = (0..outcomes.len())
        .map(|outcome| {
            let means = TargetMeans::fit(codes.iter().copied(), &outcomes[outcome], categories);
            let source = Source::Target { means, outcome, keep_missing: wants.missing == Missing::Keep };
            // The scaling is fitted to the values used in training.
            let trained = (0..codes.len()).map(|sample| match wants.categories {
                Categories::LeaveOneOut | Categories::AllLeaveOneOut => {
                    source.read_trained(codes[sample], |outcome| outcomes[outcome][sample])
                }
                Categories::Mean | Categories::Omit => source.read(codes[sample]),
            });
            let trained: Vec<f32> = trained.filter(|value| !value.is_nan()).collect();
            let scaling = Scaling::fit(wants.scale, &trained, wants.quantile_noise, random);
            Column { feature, source, scaling }
        })
        .collect();
    if wants.missing.is_shown(codes.iter().copied()) {
        columns.push(zeros_and_ones(feature, Source::Missing { words: true }, codes, wants));
    }
    columns
}

/// A column of zeros and ones. By rank they would become −5.2 and 5.2, far from all other values, so they are
/// standardised: then they share mean 0 and deviation 1 with the others.
fn zeros_and_ones(feature: usize, source: Source, values: &[f32], wants: &Wants) -> Column {
    let scale = if wants.scale == Scale::Quantile { Scale::Standard } else { wants.scale };
    let read: Vec<f32> = values.iter().map(|&value| source.read(value)).collect();
    let scaling = Scaling::fit(scale, &read, 0.0, &mut Random::new(0));
    Column { feature, source, scaling }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{GRADIENT, GREEDY, features, labels, values};
    use super::*;
    use crate::numeric::order::sort_values;

    fn encoder(wants: &Wants) -> Encoder {
        Encoder::fit(&features(), &values(), &labels(), &values(), wants, 7)
    }

    fn column(design: &Design, column: usize) -> Vec<f32> {
        design.x.row(column).iter().copied().collect()
    }

    #[test]
    fn numbers_stay_in_the_files_units_and_missing_ones_missing() {
        let design = encoder(&GREEDY).design(&values(), labels());
        // n, whether "two" is b, whether "three" is u, v, w, and one mean for "many", since the target has
        // two classes.
        assert_eq!(design.features(), 6);
        assert_eq!(design.row(1)[..5], [1.5, 1.0, 0.0, 1.0, 0.0]);
        assert!(design.row(3)[0].is_nan());
        assert_eq!(design.row(3)[1..5], [1.0, 0.0, 0.0, 0.0], "no indicator says that a category is missing");
    }

    #[test]
    fn numbers_are_scaled_and_the_median_stands_in() {
        let wants = Wants { missing: Missing::Indicator, ..GRADIENT };
        let design = encoder(&wants).design(&values(), labels());
        let present = |i: &usize| !values()[(0, *i)].is_nan();
        let scaled: Vec<f32> = (0..values().ncols()).filter(present).map(|i| design.row(i)[0]).collect();
        assert!(scaled.iter().sum::<f32>().abs() < 1e-4);
        assert!((scaled.iter().map(|x| x * x).sum::<f32>() / scaled.len() as f32 - 1.0).abs() < 1e-5);
        let mut sorted = scaled.clone();
        sort_values(&mut sorted);
        let (below, above) = (sorted[scaled.len() / 2 - 1], sorted[scaled.len() / 2]);
        assert!((below..=above).contains(&design.row(3)[0]));
        // The indicator of missing values comes right after its column.
        let missing: Vec<bool> = values().row(0).iter().map(|value| value.is_nan()).collect();
        assert_eq!(column(&design, 1).into_iter().map(|shown| shown > 0.0).collect::<Vec<bool>>(), missing);
    }

    #[test]
    fn training_samples_do_not_see_their_own_outcome() {
        let encoder = encoder(&Wants { scale: Scale::None, ..GRADIENT });
        let (trained, new) =
            (encoder.training_design(&values(), labels()).unwrap(), encoder.design(&values(), labels()));
        let Labels::Classes { label, .. } = labels() else { unreachable!() };
        for i in 0..values().ncols() {
            assert_eq!(trained.row(i)[..5], new.row(i)[..5], "nothing else differs");
            let code = values()[(3, i)];
            let others = (0..label.len()).filter(|&other| other != i && values()[(3, other)] == code);
            let outcomes: Vec<f64> = others.map(|other| f64::from(label[other])).collect();
            let overall = label.iter().map(|&class| f64::from(class)).sum::<f64>() / label.len() as f64;
            let mean = |outcomes: &[f64]| outcomes.iter().sum::<f64>() / outcomes.len() as f64;
            let expected = if outcomes.is_empty() { overall } else { mean(&outcomes) };
            assert!((f64::from(trained.row(i)[5]) - expected).abs() < 1e-6, "{i}");
        }
        assert!(trained.x.row(5) != new.x.row(5));
        let plain = Encoder::fit(&features(), &values(), &labels(), &values(), &GREEDY, 7);
        assert!(plain.training_design(&values(), labels()).is_none(), "plain means are the same for all");
    }

    #[test]
    fn more_than_two_classes_have_a_mean_each_and_categories_can_be_left_out() {
        let Labels::Classes { label, .. } = labels() else { unreachable!() };
        let three = Labels::Classes {
            label: label.iter().zip(0..).map(|(&l, i)| if i % 3 == 0 { 2 } else { l }).collect(),
            classes: 3,
        };
        let columns = |labels: &Labels, wants: &Wants| {
            Encoder::fit(&features(), &values(), labels, &values(), wants, 7).columns.len()
        };
        assert_eq!(columns(&three, &GRADIENT), 8);
        assert_eq!(columns(&labels(), &GRADIENT), 6);
        assert_eq!(columns(&Labels::Values(vec![0.5; label.len()]), &GRADIENT), 6);
        assert_eq!(columns(&three, &Wants { categories: Categories::Omit, ..GRADIENT }), 1);
        // The number, and a mean per class for each of three categorical features.
        let all = Wants { categories: Categories::AllLeaveOneOut, ..GRADIENT };
        assert_eq!((columns(&labels(), &all), columns(&three, &all)), (4, 10));
    }

    #[test]
    fn the_same_seed_gives_the_same_noise() {
        let with = |seed| {
            let wants = Wants { scale: Scale::Quantile, ..GRADIENT };
            Encoder::fit(&features(), &values(), &labels(), &values(), &wants, seed)
        };
        assert_eq!(with(3).design(&values(), labels()).x, with(3).design(&values(), labels()).x);
        assert_ne!(with(3).design(&values(), labels()).x, with(4).design(&values(), labels()).x);
    }
}
