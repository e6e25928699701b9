/** A JSON Schema, an operation or a whole document. */
export type Json = { readonly [key: string]: any };

/** Clients send `input` and read `output`. */
type Direction = 'input' | 'output';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/**
 * What clients of the released document lose or must newly send: removed operations, events, fields and enumeration values, new
 * required input. What the released document marks as `deprecated` has been announced.
 */
export function breakingChanges(released: Json, current: Json): string[] {
  const comparison = new Comparison(released, current);
  for (const [path, item] of Object.entries<Json>(released.paths))
    for (const method of METHODS.filter((one) => item[one]))
      comparison.operation(`${method.toUpperCase()} ${path}`, item[method], current.paths[path]?.[method]);
  for (const [event, { post }] of Object.entries<Json>(released.webhooks ?? {}))
    comparison.event(event, post, current.webhooks?.[event]?.post);
  return [...comparison.problems];
}

class Comparison {
  /** A shared schema has its problems once for each way to it; the text names the shortest. */
  readonly problems = new Set<string>();
  /** Pairs of named schemas that have been compared: schemas refer to themselves. */
  readonly #compared = new Set<string>();
  readonly #released: Json;
  readonly #current: Json;

  constructor(released: Json, current: Json) {
    this.#released = released;
    this.#current = current;
  }

  operation(name: string, released: Json, current: Json | undefined): void {
    if (released.deprecated) return;
    if (!current) return this.#report(`${name} is removed`);
    const method = released['x-sdk-method'];
    if (method !== undefined && current['x-sdk-method'] !== method) this.#report(`${name} is not ${method} any more`);
    this.#parameters(name, released.parameters ?? [], current.parameters ?? []);
    this.#requestBody(name, released.requestBody, current.requestBody);
    for (const [status, response] of Object.entries<Json>(released.responses)) {
      if (!status.startsWith('2')) continue;
      const answered = current.responses[status];
      if (!answered) this.#report(`${name} does not answer ${status} any more`);
      else this.#contents(`${name} ${status}`, 'output', response.content, answered.content);
    }
  }

  event(name: string, released: Json, current: Json | undefined): void {
    if (released.deprecated) return;
    if (!current) return this.#report(`the event ${name} is removed`);
    this.#contents(name, 'output', released.requestBody.content, current.requestBody.content);
  }

  #report(problem: string): void {
    this.problems.add(problem);
  }

  #parameters(name: string, released: readonly Json[], current: readonly Json[]): void {
    const same = (one: Json) => (other: Json) => other.name === one.name && other.in === one.in;
    for (const parameter of released) {
      const found = current.find(same(parameter));
      if (found) this.#schema(`${name} ${parameter.name}`, 'input', parameter.schema, found.schema);
      else if (!parameter.deprecated) this.#report(`${name} ${parameter.name} is removed`);
    }
    for (const parameter of current.filter(({ required }) => required))
      if (!released.find(same(parameter))?.required) this.#report(`${name} requires ${parameter.name}`);
  }

  #requestBody(name: string, released: Json | undefined, current: Json | undefined): void {
    if (current?.required && !released?.required) this.#report(`${name} requires a body`);
    if (released) this.#contents(name, 'input', released.content, current?.content);
  }

  #contents(name: string, direction: Direction, released: Json = {}, current: Json = {}): void {
    for (const [type, { schema }] of Object.entries<Json>(released)) {
      if (current[type]) this.#schema(name, direction, schema, current[type].schema);
      else this.#report(`${name} has no ${type} any more`);
    }
  }

  #schema(at: string, direction: Direction, released: Json, current: Json): void {
    if (released.deprecated) return;
    const names = [released.$ref, current.$ref];
    if (names.every((name) => name !== undefined)) {
      const pair = [direction, ...names].join(' ');
      if (this.#compared.has(pair)) return;
      this.#compared.add(pair);
    }
    const before = alternatives(released, this.#released);
    const after = alternatives(current, this.#current);
    for (const alternative of before) {
      const ofKind = after.filter((one) => kindOf(one) === kindOf(alternative));
      const found = ofKind.length === 1 ? ofKind[0] : ofKind.find((one) => this.#isSameVariant(alternative, one));
      if (found) this.#kind(at, direction, alternative, found);
      // What a client can send it need not get.
      else if (kindOf(alternative) !== 'null' || direction === 'input')
        this.#report(`${at} is not ${kindOf(alternative)} any more`);
    }
  }

  /** Variants of an object are told apart by the values that a field of theirs may have. */
  #isSameVariant(released: Json, current: Json): boolean {
    return Object.entries<Json>(released.properties ?? {}).every(([name, property]) => {
      const found = current.properties?.[name];
      const after = found && alternatives(found, this.#current);
      const isPossible = (one: Json) => after.some((other: Json) => haveCommonValue(one, other));
      return !found || alternatives(property, this.#released).some(isPossible);
    });
  }

  /** Two schemas of one kind. */
  #kind(at: string, direction: Direction, released: Json, current: Json): void {
    const [before, after] = [valuesOf(released), valuesOf(current)];
    for (const value of before?.filter((one) => after && !after.includes(one)) ?? [])
      this.#report(`${at} has no ${JSON.stringify(value)} any more`);
    if (!before && after && direction === 'input') this.#report(`${at} takes only ${after.join(', ')}`);
    if (released.items && current.items) this.#schema(`${at}[]`, direction, released.items, current.items);
    for (const [name, property] of Object.entries<Json>(released.properties ?? {})) {
      const found = current.properties?.[name];
      if (found) this.#schema(`${at}.${name}`, direction, property, found);
      else if (!property.deprecated) this.#report(`${at}.${name} is removed`);
    }
    const [wasRequired, isRequired] = [released.required ?? [], current.required ?? []] as [string[], string[]];
    const changed =
      direction === 'input'
        ? isRequired.filter((name) => !wasRequired.includes(name)).map((name) => `${at} requires ${name}`)
        : wasRequired
            .filter((name) => current.properties?.[name] && !isRequired.includes(name))
            .map((name) => `${at}.${name} is not always there any more`);
    changed.forEach((problem) => this.#report(problem));
  }
}

/** What a value may be, without references, one schema for each of its types. */
function alternatives(schema: Json, document: Json): Json[] {
  if (schema.$ref) return alternatives(document.components.schemas[schema.$ref.split('/').at(-1)], document);
  const parts: Json[] | undefined = schema.anyOf ?? schema.oneOf;
  if (parts) return parts.flatMap((part) => alternatives(part, document));
  if (schema.allOf) return [merged(schema.allOf.flatMap((part: Json) => alternatives(part, document)))];
  return Array.isArray(schema.type) ? schema.type.map((type: string) => ({ ...schema, type })) : [schema];
}

function merged(parts: readonly Json[]): Json {
  return {
    type: 'object',
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
    required: parts.flatMap(({ required = [] }) => required),
  };
}

function kindOf({ type, const: value }: Json): string {
  return type ?? (value === undefined ? 'any value' : typeof value);
}

/** Undefined where every value of the type is possible. */
function valuesOf({ enum: values, const: value }: Json): unknown[] | undefined {
  return values?.filter((one: unknown) => one !== null) ?? (value === undefined ? undefined : [value]);
}

function haveCommonValue(one: Json, other: Json): boolean {
  const [values, others] = [valuesOf(one), valuesOf(other)];
  return kindOf(one) === kindOf(other) && (!values || !others || values.some((value) => others.includes(value)));
}
