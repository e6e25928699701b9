/** A value of a connected system. */
export type ContextValue = string | { readonly amount: string; readonly currency: string };

/** The value as people read it; what is no valid value of its format is shown as it came. */
export function valueWords(value: ContextValue, format: string | undefined, locale?: string): string {
  if (typeof value !== 'string') return moneyWords(value.amount, value.currency, locale);
  if (format === 'date' && !Number.isNaN(Date.parse(value)))
    return new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }).format(new Date(value));
  return value;
}

function moneyWords(amount: string, currency: string, locale: string | undefined): string {
  try {
    // Passed as text, so that floating point loses no digit.
    return new Intl.NumberFormat(locale, { style: 'currency', currency }).format(amount as `${number}`);
  } catch {
    return `${amount} ${currency}`;
  }
}
