import { type ApiDocument, resolve, type Schema } from '../../typescript/generator/document.ts';

const SIMPLE: Readonly<Record<string, string>> = {
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
  object: 'Object',
};
const TIME = /ISO 8601|YYYY-MM-DD/;

/** What Python takes for a value that one of the schemas describes; values of enumerations that the service adds are accepted. */
export function inputType(schemas: readonly Schema[], document?: ApiDocument): string {
  const parts = [...new Set(schemas.flatMap((schema) => partsOf(schema, document)))];
  const literals = parts.filter((part) => part.startsWith("'"));
  const others = parts.filter((part) => !part.startsWith("'") && part !== 'None');
  const known =
    literals.length > 0 ? [`Literal[${literals.map((part) => `"${part.slice(1)}"`).join(', ')}]`, 'str'] : [];
  return [...new Set([...known, ...others, ...(parts.includes('None') ? ['None'] : [])])].join(' | ') || 'Any';
}

/** Names of types; of enumerations their values, with an apostrophe in front. */
function partsOf(schema: Schema, document: ApiDocument | undefined): string[] {
  const described = document ? resolve(schema, document) : schema;
  const variants = (described['oneOf'] ?? described['anyOf']) as readonly Schema[] | undefined;
  if (variants) return variants.flatMap((variant) => partsOf(variant, document));
  // An integer among the texts that it can be written as.
  const [first] = (described['allOf'] as readonly Schema[] | undefined) ?? [];
  if (first) return partsOf(first, document);
  const values = (described['const'] === undefined ? described['enum'] : [described['const']]) as unknown[] | undefined;
  const texts = (values ?? []).filter((value) => typeof value === 'string').map((value) => `'${value}`);
  const types = [described.type ?? []].flat();
  return [...texts, ...types.flatMap((type) => (type === 'string' ? textType(described, texts) : typeName(type)))];

  function typeName(type: string): string {
    if (type !== 'array') return SIMPLE[type] ?? 'Any';
    return `Sequence[${inputType([described.items ?? {}], document)}]`;
  }
}

function textType({ format, description }: Schema, values: readonly string[]): string[] {
  if (values.length > 0) return [];
  return format === 'date-time' || TIME.test(String(description)) ? ['str', 'date', 'datetime'] : ['str'];
}
