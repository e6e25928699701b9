import {
  type ApiDocument,
  type DescribedOperation,
  pascalCase,
  resolve,
  type Schema,
  type SdkOperation,
  successOf,
} from '../../typescript/generator/document.ts';

/** The events of the event log. Their models are those of what webhooks receive, which have an `id`, too; the union has another name here. */
const RECORDED_EVENT = 'RecordedEvent';
export const ANY_EVENT = 'Event';

/** What a method gives. */
export interface Result {
  /** The response has another form than JSON, or no body at all. */
  readonly gives?: 'text' | 'nothing';
  /** The field of the response that has the list; empty when the response is the list. */
  readonly list?: string;
  readonly page?: 'cursor' | 'after' | 'link' | undefined;
  /** Of the response, or of the items of the list. */
  readonly schema?: Schema;
  /** Its name among the models. */
  readonly model?: string;
  /** There is not always a response: 204. */
  readonly isOptional?: boolean;
}

export function resultOf(operation: SdkOperation, document: ApiDocument): Result {
  const { mediaType, schema } = successOf(operation);
  if (mediaType === undefined) return { gives: 'nothing' };
  if (!mediaType.includes('json')) return { gives: 'text' };
  const list = listOf(operation, document);
  if (!list) {
    const isOptional = operation.responses['204'] !== undefined;
    return { schema: schema ?? {}, model: nameOf(schema, `${pascalCase(operation.operationId)}Response`), isOptional };
  }
  const described = resolve(schema, document);
  const { items = {} } = list.list === '' ? described : resolve(described.properties?.[list.list], document);
  return { ...list, schema: items, model: nameOf(items, `${pascalCase(operation.operationId)}Item`) };
}

function nameOf(schema: Schema | undefined, otherwise: string): string {
  const name = schema?.$ref?.split('/').at(-1) ?? otherwise;
  return name === RECORDED_EVENT ? ANY_EVENT : name;
}

/** A method gives a list if it is called so, or if its response has a cursor. */
function listOf(operation: SdkOperation, document: ApiDocument): { list: string; page: Result['page'] } | undefined {
  const schema = resolve(successOf(operation).schema, document);
  const parameters = new Set(operation.parameters?.map(({ name }) => name));
  if (schema.type === 'array') return { list: '', page: parameters.has('cursor') ? 'link' : undefined };
  const isPage = schema.properties?.['next_cursor'] !== undefined;
  if (!isPage && !operation.name.endsWith('.list')) return undefined;
  const page = !isPage ? undefined : parameters.has('after') ? 'after' : 'cursor';
  return { list: onlyArray(operation, schema, document), page };
}

function onlyArray({ operationId }: DescribedOperation, { properties = {} }: Schema, document: ApiDocument): string {
  const arrays = Object.entries(properties).filter(([, schema]) => resolve(schema, document).type === 'array');
  if (arrays.length !== 1) throw new Error(`${operationId} gives a list, but not with one array`);
  return arrays[0]![0];
}
