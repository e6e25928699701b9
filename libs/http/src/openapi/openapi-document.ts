/** A JSON Schema of draft 2020-12, or a reference to one. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/** A reference into `components`. */
export interface Reference {
  readonly $ref: string;
}

/** A parameter of a path, a query or a header. */
export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: JsonSchema;
}

/** Media type to schema. */
export type Content = Readonly<Record<string, { readonly schema: JsonSchema }>>;

/** One response of an operation. */
export interface ResponseEntry {
  readonly description: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Content;
}

/** One method of one path. */
export interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly deprecated?: true;
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  /** The lowest role of an employee that can succeed. */
  readonly 'x-required-role'?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, ResponseEntry | Reference>>;
}

/** Method to operation. */
export type PathItem = Readonly<Record<string, Operation>>;

/** The subset of OpenAPI 3.1 that is used here. */
export interface OpenApiDocument {
  readonly openapi: '3.1.1';
  readonly jsonSchemaDialect?: string;
  readonly info: { readonly title: string; readonly version: string; readonly description?: string };
  readonly servers?: readonly { readonly url: string; readonly description?: string }[];
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly responses: Readonly<Record<string, ResponseEntry>>;
    readonly headers: Readonly<Record<string, unknown>>;
    readonly securitySchemes?: Readonly<Record<string, JsonSchema>>;
  };
}
