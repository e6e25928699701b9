/** The part of an OpenAPI document that the client is generated from. */
export interface ApiDocument {
  readonly openapi: string;
  readonly info: object;
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly webhooks?: Readonly<Record<string, { readonly post: DescribedOperation }>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>>; readonly [kind: string]: unknown };
}

export interface DescribedOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Content>> }>>;
  /** Its name in every client, such as `contacts.create`. */
  readonly 'x-sdk-method'?: string;
}

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

interface Content {
  readonly schema?: Schema;
}

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly [keyword: string]: unknown;
}

/** An operation that clients have a method for. */
export interface SdkOperation extends DescribedOperation {
  readonly name: string;
  /** `GET`, and the path below `/api/v1`. */
  readonly verb: string;
  readonly path: string;
}

const PREFIX = '/api/v1';

/** The schema of the events of the event log, a union that a newer service adds types to. */
export const RECORDED_EVENT = 'RecordedEvent';

/** All of them, in the order of their names. */
export function sdkOperations({ paths }: ApiDocument): SdkOperation[] {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([verb, operation]) => {
      const name = operation['x-sdk-method'];
      if (name === undefined) return [];
      if (!path.startsWith(`${PREFIX}/`)) throw new Error(`${path} has a client method, but is not below ${PREFIX}`);
      return [{ ...operation, name, verb: verb.toUpperCase(), path: path.slice(PREFIX.length) }];
    }),
  );
  return operations.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The schema that a reference names. */
export function resolve(schema: Schema | undefined, { components }: ApiDocument): Schema {
  const name = schema?.$ref?.split('/').at(-1);
  return (name === undefined ? schema : components.schemas[name]) ?? {};
}

/** The success of an operation with its body; of several the first, such as that of a new and of a repeated text. */
export function successOf({ operationId, responses }: DescribedOperation) {
  const [status, response] = Object.entries(responses).find(([code]) => code.startsWith('2')) ?? [];
  if (status === undefined) throw new Error(`${operationId} describes no success`);
  const [mediaType, content] = Object.entries(response?.content ?? {})[0] ?? [];
  return { mediaType, schema: content?.schema };
}

/** What webhooks receive: the types of events, and the names of their schemas. */
export function receivedEvents({ webhooks = {} }: ApiDocument): { readonly type: string; readonly name: string }[] {
  return Object.entries(webhooks).map(([type, { post }]) => {
    const [content] = Object.values(post.requestBody?.content ?? {});
    const name = content?.schema?.$ref?.split('/').at(-1);
    if (name === undefined) throw new Error(`the event ${type} has no named schema`);
    return { type, name };
  });
}

/** `ListCalls` for `listCalls`. */
export function pascalCase(name: string): string {
  return name.replaceAll(/(?:^|[._-])([a-zA-Z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
