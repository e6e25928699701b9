import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { businessNumbersQuery } from '../api/shared-queries.ts';
import { t } from '../i18n/translate.ts';
import { SelectField, TextField } from '../ui/field.tsx';
import { Failure } from '../ui/query-state.tsx';

/** A contact of the demo company. */
export const CUSTOMER = '+4520304050';

export function useHasNumbers(): boolean {
  const { data } = useQuery(businessNumbersQuery);
  return data !== undefined && data.length > 0;
}

/** The choice of a business number; its value is the number itself. */
export function BusinessNumberField(props: {
  label: string;
  name: string;
  /** The number that is chosen at first; otherwise the first one. */
  defaultValue?: string;
  errors: readonly string[] | undefined;
}): ReactNode {
  const { data: numbers, error, refetch } = useQuery(businessNumbersQuery);
  if (error && !numbers) return <Failure error={error} onRetry={refetch} />;
  if (numbers?.length === 0) return <p>{t('Your company has no business number: an operator can add one.')}</p>;
  return (
    // A new one once there is something to choose from: `defaultValue` counts at the beginning.
    <SelectField key={String(numbers === undefined)} {...props}>
      {numbers?.map(({ id, name, number, number_formatted: formatted }) => (
        <option key={id} value={number}>
          {name} ({formatted})
        </option>
      ))}
    </SelectField>
  );
}

export function CustomerNumberField(props: {
  label: string;
  name: string;
  hint?: string;
  errors: readonly string[] | undefined;
}): ReactNode {
  return <TextField {...props} inputMode="tel" defaultValue={CUSTOMER} />;
}
