/** One parameter as it came. */
export interface Parameter {
  readonly name: string;
  readonly value: string;
}

/** The parameters of a request by name. */
export interface Parameters {
  /** Undefined when it is absent or empty: RFC 6749 section 3.1 has both mean the same. */
  get(name: string): string | undefined;
  /** The first of `names` that came more than once, or holds a character no parameter of ours may hold. */
  broken(names: readonly string[]): string | undefined;
}

/** Longer than any value a client has reason to send; `state` is the longest. */
const VALUE_LENGTH_MAX = 4096;

export function parametersOf(sent: readonly Parameter[]): Parameters {
  const values = Map.groupBy(sent, ({ name }) => name);
  return {
    get: (name) => values.get(name)?.[0]?.value || undefined,
    broken: (names) =>
      names.find((name) => {
        const given = values.get(name) ?? [];
        return given.length > 1 || given.some(({ value }) => value.length > VALUE_LENGTH_MAX || hasControls(value));
      }),
  };
}

function hasControls(text: string): boolean {
  // oxlint-disable-next-line no-control-regex -- that is the question
  return /[\u0000-\u001f\u007f]/.test(text);
}
