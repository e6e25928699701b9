import { lazy, type ReactNode, Suspense } from 'react';
import { SelectField } from './field.tsx';
import type { ChoiceOption } from './visible-options.ts';

/** Its code is loaded by those who have many options. */
const SearchedChoice = lazy(() => import('./searched-choice.tsx'));

/** From this many options on they are searched. */
const SEARCHED_MIN = 8;

/** A choice of one; searchable when there are many. */
export function Choice(props: {
  label: string;
  options: readonly ChoiceOption[];
  value: string;
  onChange: (value: string) => void;
  hideLabel?: boolean;
  look?: 'field' | 'quiet' | 'chip';
  isDisabled?: boolean;
}): ReactNode {
  const { label, options, value, onChange, hideLabel, look = 'field' } = props;
  const select = (
    <SelectField
      label={label}
      hideLabel={hideLabel}
      look={look}
      value={value}
      disabled={props.isDisabled}
      onChange={(event) => onChange(event.target.value)}
    >
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.detail ? `${option.label} (${option.detail})` : option.label}
        </option>
      ))}
    </SelectField>
  );
  if (options.length < SEARCHED_MIN) return select;
  return (
    <Suspense fallback={select}>
      <SearchedChoice {...props} />
    </Suspense>
  );
}
