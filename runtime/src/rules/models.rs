//! Hints about models: parts of names, in order of preference.

/// The first model that a server's hints ask for, or `None` if they ask for none of these; then the
/// client chooses by the priorities.
///
/// Hints are tried in their order, and for each the models in theirs. A hint is part of a name, never the
/// name of one model, and case counts. An empty hint says nothing.
///
/// Page: `client/sampling`, section on model hints, the same in every revision. Hints are advice: the
/// client decides, and may also map a hint to another vendor's model, which it does before it comes here.
///
/// ```
/// use mcprism::rules::best_model;
///
/// let models = ["gemini-1.5-pro", "claude-3-haiku", "claude-3-5-sonnet-20241022"];
/// assert_eq!(best_model(["sonnet", "claude"], &models), Some("claude-3-5-sonnet-20241022"));
/// assert_eq!(best_model(["opus", "claude"], &models), Some("claude-3-haiku"));
/// assert_eq!(best_model(["gpt"], &models), None);
/// ```
pub fn best_model<'a, 'h>(hints: impl IntoIterator<Item = &'h str>, models: &'a [impl AsRef<str>]) -> Option<&'a str> {
    let matching = |hint: &str| models.iter().map(AsRef::as_ref).find(|model| model.contains(hint));
    hints.into_iter().filter(|hint| !hint.is_empty()).find_map(matching)
}
