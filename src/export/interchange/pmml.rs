//! A tree as PMML 4.4.
//!
//! Readers differ in whether they compare a float field in f32, so numbers are fields of type double and the
//! rounding is in the threshold. A weighted sum is a derived field over derived values that are rounded by
//! their type, which not every reader does. An unseen word counts as missing, and a missing value takes the
//! default child. Node ids are the tree's positions and are output as `leaf`.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::predicate::{derived_name, predicates};
use crate::error::{Code, Error, Result};
use crate::export::columns::refuse_no_shares;
use crate::export::words::{probabilities, unique};
use crate::export::xml::{self, escaped};
use crate::export::{Document, ProofRow};
use crate::tree::{Feature, FeatureKind, Leaf, Model, Node, Split, Target};

/// Levels of nodes that every XML reader accepts: some stop at 256 levels of elements.
const MOST_LEVELS: usize = 200;

/// Converts a document to PMML; fails for linear leaves, which PMML's trees do not have.
pub(crate) fn pmml(document: &Document) -> Result<String> {
    let model = &document.model;
    check(model)?;
    refuse_no_shares(model, "PMML")?;
    let mut file = File { text: String::new(), model };
    file.write(document).expect("writing to a string");
    Ok(file.text)
}

fn check(model: &Model) -> Result<()> {
    let no = |what: String| {
        Err(Error::new(Code::BadFormat, what, "Choose another format, such as onnx, python or sql."))
    };
    if let Some(id) =
        model.tree.nodes().iter().position(|node| matches!(node, Node::Leaf(Leaf::Linear { .. })))
    {
        return no(format!("A PMML tree answers with constants, but node {id} answers with a formula."));
    }
    if model.tree.depth() > MOST_LEVELS {
        return no(format!(
            "The tree has {} levels; XML readers accept about {MOST_LEVELS}.",
            model.tree.depth()
        ));
    }
    if model.target.name().is_empty() {
        return no("PMML cannot hold a target without a name.".into());
    }
    xml::check(model.target.name())?;
    model.target.classes().iter().try_for_each(|class| xml::check(class))?;
    for feature in &model.features {
        xml::check(&feature.name)?;
        if feature.name.is_empty() {
            return no("PMML cannot hold a column without a name.".into());
        }
        if feature.name == model.target.name() {
            return no(format!(
                "A column and the target are both called {}.",
                crate::error::quoted(&feature.name)
            ));
        }
        if let FeatureKind::Categorical { categories } = &feature.kind {
            categories.iter().chain(&feature.missing_tokens).try_for_each(|word| xml::check(word))?;
        }
    }
    Ok(())
}

struct File<'a> {
    text: String,
    model: &'a Model,
}

impl File<'_> {
    fn write(&mut self, document: &Document) -> std::fmt::Result {
        let model = self.model;
        // In PMML, a tree that numbers its leaves is a regression: PMML's own clustering models have centres,
        // not trees.
        let function = if model.target.classes().is_empty() { "regression" } else { "classification" };
        writeln!(self.text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
        writeln!(self.text, "<PMML xmlns=\"http://www.dmg.org/PMML-4_4\" version=\"4.4\">")?;
        writeln!(self.text, "  <Header description=\"A decision tree\">")?;
        let version = env!("CARGO_PKG_VERSION");
        writeln!(self.text, "    <Application name=\"espalier\" version=\"{version}\"/>\n  </Header>")?;
        self.dictionary()?;
        self.sums()?;
        writeln!(
            self.text,
            "  <TreeModel functionName=\"{function}\" missingValueStrategy=\"defaultChild\" \
             noTrueChildStrategy=\"returnNullPrediction\" splitCharacteristic=\"binarySplit\">"
        )?;
        writeln!(self.text, "    <MiningSchema>")?;
        writeln!(
            self.text,
            "      <MiningField name=\"{}\" usageType=\"target\"/>",
            escaped(model.target.name())
        )?;
        for feature in &model.features {
            let name = escaped(&feature.name);
            writeln!(self.text, "      <MiningField name=\"{name}\" invalidValueTreatment=\"asMissing\"/>")?;
        }
        writeln!(self.text, "    </MiningSchema>")?;
        let names = outputs(model);
        self.output(&names)?;
        self.node(0, "<True/>", 4)?;
        self.proof(&document.verification, &names)?;
        writeln!(self.text, "  </TreeModel>\n</PMML>")
    }

    fn dictionary(&mut self) -> std::fmt::Result {
        let model = self.model;
        writeln!(self.text, "  <DataDictionary numberOfFields=\"{}\">", model.features.len() + 1)?;
        match &model.target {
            Target::Value { name } | Target::Clusters { name, .. } => {
                let name = escaped(name);
                writeln!(
                    self.text,
                    "    <DataField name=\"{name}\" optype=\"continuous\" dataType=\"double\"/>"
                )?;
            }
            Target::Classes { name, classes } => {
                self.words(name, classes.iter().map(|class| (class.as_str(), "valid")))?;
            }
        }
        for feature in &model.features {
            match &feature.kind {
                FeatureKind::Numerical { .. } => {
                    let name = escaped(&feature.name);
                    writeln!(
                        self.text,
                        "    <DataField name=\"{name}\" optype=\"continuous\" dataType=\"double\"/>"
                    )?;
                }
                FeatureKind::Categorical { categories } => {
                    let missing = feature.missing_tokens.iter().map(|token| (token.as_str(), "missing"));
                    let known = categories.iter().filter(|word| !feature.missing_tokens.contains(word));
                    self.words(&feature.name, known.map(|word| (word.as_str(), "valid")).chain(missing))?;
                }
            }
        }
        writeln!(self.text, "  </DataDictionary>")
    }

    fn words<'b>(
        &mut self,
        name: &str,
        words: impl Iterator<Item = (&'b str, &'static str)>,
    ) -> std::fmt::Result {
        let name = escaped(name);
        writeln!(self.text, "    <DataField name=\"{name}\" optype=\"categorical\" dataType=\"string\">")?;
        for (word, property) in words {
            writeln!(self.text, "      <Value value=\"{}\" property=\"{property}\"/>", escaped(word))?;
        }
        writeln!(self.text, "    </DataField>")
    }

    /// Writes a derived field per oblique split: products of rounded values, added in the listed order in
    /// f64.
    fn sums(&mut self) -> std::fmt::Result {
        let model = self.model;
        let sums = model.tree.nodes().iter().enumerate().filter_map(|(id, node)| match node {
            Node::Split { split: Split::Oblique { features, weights, missing_values, .. }, .. } => {
                Some((id, features, weights, missing_values))
            }
            _ => None,
        });
        let mut sums = sums.peekable();
        if sums.peek().is_none() {
            return Ok(());
        }
        writeln!(self.text, "  <TransformationDictionary>")?;
        let weighed: BTreeSet<usize> =
            sums.clone().flat_map(|(_, features, ..)| features.iter().copied()).collect();
        for feature in weighed {
            let (name, field) =
                (derived_name(model, "single", feature), escaped(&model.features[feature].name));
            writeln!(
                self.text,
                "    <DerivedField name=\"{name}\" optype=\"continuous\" dataType=\"float\">"
            )?;
            writeln!(self.text, "      <FieldRef field=\"{field}\"/>\n    </DerivedField>")?;
        }
        for (id, features, weights, missing_values) in sums {
            let name = derived_name(model, "sum", id);
            writeln!(
                self.text,
                "    <DerivedField name=\"{name}\" optype=\"continuous\" dataType=\"double\">"
            )?;
            let terms =
                features.iter().zip(weights).zip(missing_values).map(|((&feature, &weight), &stand_in)| {
                    let field = derived_name(model, "single", feature);
                    format!(
                        "<Apply function=\"*\"><Constant dataType=\"double\">{:?}</Constant>\
                     <Apply function=\"if\"><Apply function=\"isMissing\"><FieldRef \
                     field=\"{field}\"/></Apply>\
                     <Constant dataType=\"float\">{stand_in:?}</Constant><FieldRef \
                     field=\"{field}\"/></Apply></Apply>",
                        f64::from(weight)
                    )
                });
            let sum = terms.reduce(|sum, term| format!("<Apply function=\"+\">{sum}{term}</Apply>"));
            let sum = sum.unwrap_or_else(|| "<Constant dataType=\"double\">0.0</Constant>".into());
            writeln!(self.text, "      {sum}\n    </DerivedField>")?;
        }
        writeln!(self.text, "  </TransformationDictionary>")
    }

    fn output(&mut self, names: &[String]) -> std::fmt::Result {
        let classes = self.model.target.classes();
        let escaped: Vec<String> = names.iter().map(|name| escaped(name)).collect();
        let kind = if classes.is_empty() { ("continuous", "double") } else { ("categorical", "string") };
        writeln!(self.text, "    <Output>")?;
        writeln!(
            self.text,
            "      <OutputField name=\"{}\" optype=\"{}\" dataType=\"{}\" feature=\"predictedValue\"/>",
            escaped[0], kind.0, kind.1
        )?;
        for (name, class) in escaped[1..].iter().zip(classes) {
            writeln!(
                self.text,
                "      <OutputField name=\"{name}\" optype=\"continuous\" dataType=\"double\" \
                 feature=\"probability\" value=\"{}\"/>",
                xml::escaped(class)
            )?;
        }
        let leaf = &escaped[escaped.len() - 1];
        writeln!(
            self.text,
            "      <OutputField name=\"{leaf}\" optype=\"categorical\" dataType=\"string\" \
             feature=\"entityId\"/>\n    </Output>"
        )
    }

    fn node(&mut self, id: usize, predicate: &str, indent: usize) -> std::fmt::Result {
        let model = self.model;
        let pad = " ".repeat(indent);
        let rows =
            model.stats.get(id).map_or(String::new(), |stats| format!(" recordCount=\"{}\"", stats.rows));
        match &model.tree.nodes()[id] {
            Node::Split { split, left, right, default_left } => {
                let default = if *default_left { left } else { right };
                writeln!(
                    self.text,
                    "{pad}<Node id=\"{id}\" defaultChild=\"{default}\"{rows}>\n{pad}  {predicate}"
                )?;
                let [to_left, to_right] = predicates(model, id, split);
                self.node(*left, &to_left, indent + 2)?;
                self.node(*right, &to_right, indent + 2)?;
            }
            Node::Leaf(Leaf::Constant(value)) => {
                let score = f64::from(*value);
                writeln!(self.text, "{pad}<Node id=\"{id}\" score=\"{score:?}\"{rows}>\n{pad}  {predicate}")?;
            }
            Node::Leaf(_) => {
                let shares = probabilities(model, id);
                let classes = model.target.classes();
                let score = model.leaf_class(id).map_or_else(String::new, |class| escaped(&classes[class]));
                writeln!(self.text, "{pad}<Node id=\"{id}\" score=\"{score}\"{rows}>\n{pad}  {predicate}")?;
                for (at, (class, p)) in classes.iter().zip(&shares).enumerate() {
                    let count =
                        model.stats.get(id).and_then(|stats| stats.counts.get(at)).copied().unwrap_or(0);
                    let class = escaped(class);
                    writeln!(
                        self.text,
                        "{pad}  <ScoreDistribution value=\"{class}\" recordCount=\"{count}\" \
                         probability=\"{p:?}\"/>"
                    )?;
                }
            }
        }
        writeln!(self.text, "{pad}</Node>")
    }

    /// Writes the proof rows. A missing cell has no element.
    fn proof(&mut self, rows: &[ProofRow], names: &[String]) -> std::fmt::Result {
        let model = self.model;
        let fields: Vec<&str> = model.features.iter().map(|feature| feature.name.as_str()).collect();
        let (leaf, values) = (
            &names[names.len() - 1],
            if model.target.classes().is_empty() { &names[..1] } else { &names[1..names.len() - 1] },
        );
        let all = fields.iter().copied().chain([leaf.as_str()]).chain(values.iter().map(String::as_str));
        writeln!(
            self.text,
            "    <ModelVerification recordCount=\"{}\">\n      <VerificationFields>",
            rows.len()
        )?;
        for (at, field) in all.enumerate() {
            let field = escaped(field);
            writeln!(
                self.text,
                "        <VerificationField field=\"{field}\" column=\"c{at}\" precision=\"1e-6\" \
                 zeroThreshold=\"1e-6\"/>"
            )?;
        }
        writeln!(self.text, "      </VerificationFields>\n      <InlineTable>")?;
        for row in rows {
            write!(self.text, "        <row>")?;
            for (at, (feature, cell)) in model.features.iter().zip(&row.cells).enumerate() {
                if let Some(value) = spelled(feature, cell) {
                    write!(self.text, "<c{at}>{}</c{at}>", escaped(&value))?;
                }
            }
            let outputs = if row.probabilities.is_empty() { &row.output } else { &row.probabilities };
            let first = model.features.len();
            write!(self.text, "<c{first}>{}</c{first}>", row.leaf)?;
            for (value, at) in outputs.iter().zip(first + 1..) {
                write!(self.text, "<c{at}>{value:?}</c{at}>")?;
            }
            writeln!(self.text, "</row>")?;
        }
        writeln!(self.text, "      </InlineTable>\n    </ModelVerification>")
    }
}

/// A proof cell as PMML reads it: a plain number or a word; `None` if missing.
fn spelled(feature: &Feature, cell: &str) -> Option<String> {
    let value = feature.parse(cell);
    match feature.kind {
        FeatureKind::Numerical { .. } => (!value.is_nan()).then(|| format!("{value:?}")),
        FeatureKind::Categorical { .. } => (!value.is_nan()).then(|| cell.trim().to_owned()),
    }
}

/// Names of the outputs that no field has: the prediction, a probability per class, the leaf.
fn outputs(model: &Model) -> Vec<String> {
    let mut used: Vec<String> = model.features.iter().map(|feature| feature.name.clone()).collect();
    used.push(model.target.name().to_owned());
    let probabilities = model.target.classes().iter().map(|class| format!("probability_{class}"));
    let wanted = std::iter::once("prediction".to_owned()).chain(probabilities).chain(["leaf".to_owned()]);
    wanted
        .map(|name| {
            let name = unique(&name, &|name| used.iter().any(|used| used == name));
            used.push(name.clone());
            name
        })
        .collect()
}
