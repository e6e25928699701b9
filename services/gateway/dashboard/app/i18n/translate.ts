/** Sentences of a language by their English original. */
export type Catalogue = Readonly<Record<string, string>>;

type Values = Readonly<Record<string, string | number>>;

let catalogue: Catalogue = {};

export function setCatalogue(loaded: Catalogue): void {
  catalogue = loaded;
}

/** A sentence in the language of the application; `{name}` in it is replaced by the value of that name. */
export function t(english: string, values?: Values): string {
  return withValues(catalogue[english] ?? english, values);
}

/** A word that other languages have several for: `of` says which is meant, as in `Key (model)`. */
export function tOf(of: string, english: string): string {
  return catalogue[`${english} (${of})`] ?? english;
}

/** A sentence with `{count}` in it, which has another form for one. */
export function tn(count: number, one: string, other: string, values?: Values): string {
  return t(count === 1 ? one : other, { ...values, count });
}

export function withValues(sentence: string, values: Values = {}): string {
  return sentence.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => String(values[name] ?? placeholder));
}
