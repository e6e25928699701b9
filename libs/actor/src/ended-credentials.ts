/** The credentials that have ended: one, every sign-in session that was there at a time, or all. */
export type EndedCredentials =
  | { readonly what: 'one'; readonly credentialId: string }
  | { readonly what: 'sessions'; readonly at: Date }
  | { readonly what: 'all' };

/** An object that ends with the credential that created it. */
interface CreatedWithCredential {
  readonly madeWith: { readonly credentialType: string; readonly credentialId: string };
  readonly createdAt: Date;
}

export function wasMadeWith({ madeWith, createdAt }: CreatedWithCredential, ended: EndedCredentials): boolean {
  switch (ended.what) {
    case 'one':
      return madeWith.credentialId === ended.credentialId;
    case 'sessions':
      return madeWith.credentialType === 'session' && createdAt <= ended.at;
    case 'all':
      return true;
  }
}
