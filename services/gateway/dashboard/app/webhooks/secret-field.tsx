import type { ReactNode } from 'react';
import { TextField } from '../ui/field.tsx';

/** A new secret, which the API shows once. */
export function SecretField({ secret }: { secret: string }): ReactNode {
  return (
    <TextField
      label="Secret"
      hint="Copy it now: it is not shown again. Your receiver checks the signature of each request with it (Standard Webhooks)."
      readOnly
      autoFocus
      value={secret}
      onFocus={(event) => event.target.select()}
    />
  );
}
