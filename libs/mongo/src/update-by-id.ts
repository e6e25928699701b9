import type { Document } from 'mongodb';

/** A filter by id alone, which needs no query plan. */
export function byIds(ids: readonly string[]): Document {
  return { _id: ids.length === 1 ? ids[0] : { $in: ids } };
}

/** The one of `values` that belongs to the document, as an expression. */
export function valueById(ids: readonly string[], values: readonly unknown[]): Document {
  if (ids.length === 1) return { $literal: values[0] };
  return { $arrayElemAt: [{ $literal: values }, { $indexOfArray: [{ $literal: ids }, '$_id'] }] };
}

/** A stage that makes the document into `written` if the conditions hold. `own`: what belongs to this document. */
export function replaceIf(own: Document, conditions: readonly Document[], written: Document | string): Document {
  return { $replaceWith: { $let: { vars: { own }, in: { $cond: [{ $and: conditions }, written, '$$ROOT'] } } } };
}
