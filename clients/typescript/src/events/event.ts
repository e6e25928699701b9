/** An event of a type that this version knows. */
export interface EventOf<Type extends string, Data> {
  readonly event: Type;
  /** When it happened. */
  readonly timestamp: string;
  readonly data: Data;
}

/**
 * An event of a type that this version does not know. Its `data` can be assigned to any type of yours; it has no type of its
 * own, because `data` would lose its type in all other events, too.
 */
export type UnknownEvent = EventOf<string, never>;
