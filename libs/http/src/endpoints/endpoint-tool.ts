import type { z } from 'zod';

/** Side effects of a tool, as the Model Context Protocol describes them. */
export interface ToolAnnotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  /** True for tools that contact people outside the company. */
  readonly openWorldHint: boolean;
}

/**
 * An endpoint as a tool of an assistant. Its arguments are the endpoint's own path parameters, query and body fields;
 * this only names and describes them. Values are validated by the endpoint.
 */
export interface EndpointTool<Context> {
  /** The endpoint's summary unless given. */
  readonly title?: string;
  /** When to use it. */
  readonly description: string;
  /** Only a GET has none: it changes nothing. */
  readonly annotations?: ToolAnnotations;
  /** Argument names where they differ from the endpoint's: `{ phone_number: 'phone' }`. */
  readonly rename?: Readonly<Record<string, string>>;
  /** Query and body fields that are no arguments. */
  readonly omit?: readonly string[];
  /** Body fields that the tool sets, such as `{ listened: true }`. */
  readonly fixed?: Readonly<Record<string, unknown>>;
  /** Descriptions of arguments, by their own names, where the endpoint's schema is not enough, such as for a flag in a query. */
  readonly describe?: Readonly<Record<string, z.ZodType>>;
  /** Path parameters that may be left out, by the endpoint's names. */
  readonly defaults?: Readonly<Record<string, (context: Context) => string>>;
  /** The key of the list in the result; a bare array is put under it. A list has the arguments `limit` and `cursor`. */
  readonly list?: string;
  /** A part of the endpoint's body instead of the whole. */
  readonly result?: { readonly schema: z.ZodObject; of(body: unknown): Readonly<Record<string, unknown>> };
  /** The result in place of a response without a body; `{}` unless given. */
  readonly whenEmpty?: Readonly<Record<string, null>>;
  /**
   * The question to a person before the tool is run, where the assistant can ask; undefined when nobody has to be asked. It gets the
   * arguments that are texts: they are not validated yet, and whatever else stands in for a text is refused by the endpoint.
   */
  readonly confirm?: (texts: Readonly<Record<string, string | undefined>>) => string | undefined;
  /** The feature that must be on for the company. */
  readonly feature?: string;
}
