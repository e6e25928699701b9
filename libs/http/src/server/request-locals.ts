declare global {
  namespace Express {
    /** What middleware leaves in `response.locals` for whatever comes after it. */
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
