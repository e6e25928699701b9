/** Collects what is wrong with a request: field path to messages. */
export interface Problems {
  add(path: string, message: string): void;
  count(): number;
  fields(): Record<string, readonly string[]>;
}

/** Bounds the size of an error response. */
const FIELDS_MAX = 100;

export function collectProblems(): Problems {
  const fields = new Map<string, string[]>();
  return {
    add(path, message) {
      const known = fields.get(path);
      if (known) known.push(message);
      else if (fields.size < FIELDS_MAX) fields.set(path, [message]);
    },
    count: () => fields.size,
    fields: () => Object.fromEntries(fields),
  };
}

/** The same problems, below a field: what is `employee_ids` inside is `incoming_call_config.employee_ids` outside. */
export function withPrefix(problems: Problems, prefix: string): Problems {
  return { ...problems, add: (path, message) => problems.add(`${prefix}.${path}`, message) };
}
