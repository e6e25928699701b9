declare global {
  namespace Express {
    /** The fields of `response.locals` that middleware sets. */
    interface Locals {
      requestId: string;
      /** `/api/v1/contacts/:id`, never the path itself; undefined for an undeclared path. */
      template?: string;
      /** The result of `authenticate`. */
      context: unknown;
    }
  }
}

export {};
