import type { Role } from '@parley/actor';

/** The principal of an employee's request. */
export interface RoleHolder {
  readonly role: Role;
}

/**
 * The lowest role that can succeed; `none` for an endpoint that is not for employees' credentials: one for the public or the
 * operator, or a page, which authorizes its visitor itself.
 */
export type RequiredRole<Context> = [Context] extends [RoleHolder] ? Role : 'none';

/** The part of an endpoint's declaration that decides who may use it. */
export interface AccessDeclaration<Context, Params> {
  readonly role: RequiredRole<Context>;
  /**
   * For endpoints where the role alone does not decide, such as for one's own settings. Called before the body is read and anything
   * is looked up.
   */
  permits?(caller: Context, params: Params): boolean;
  /** The same for fields that need more. `fields` is the body as it came: nothing about it is known but that it is an object. */
  permitsFields?(caller: Context, params: Params, fields: Readonly<Record<string, unknown>>): boolean;
}
