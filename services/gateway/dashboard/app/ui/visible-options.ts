/** One of the options of a choice. */
export interface ChoiceOption {
  readonly value: string;
  readonly label: string;
  readonly detail?: string | undefined;
}

/** More than these are not shown at once: a page with a thousand checkboxes is slow to type in. */
const VISIBLE_MAX = 50;

/** The selected options, the first ones that match, and the number of further matches. */
export function visibleOptions(
  options: readonly ChoiceOption[],
  selected: readonly string[],
  words: string,
): { readonly shown: readonly ChoiceOption[]; readonly hidden: number } {
  const wanted = words.trim().toLowerCase();
  const matching = options.filter(({ label, value, detail = '' }) =>
    `${label} ${value} ${detail}`.toLowerCase().includes(wanted),
  );
  const chosen = new Set(selected);
  const shown = matching.filter(({ value }, index) => index < VISIBLE_MAX || chosen.has(value));
  return { shown, hidden: matching.length - shown.length };
}
