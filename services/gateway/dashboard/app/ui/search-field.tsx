import { type ReactNode, useId } from 'react';

export function SearchField(props: { label: string; value: string; onChange: (value: string) => void }): ReactNode {
  const id = useId();
  return (
    <div className="search" role="search">
      <label htmlFor={id} className="visually-hidden">
        {props.label}
      </label>
      <input
        id={id}
        type="search"
        placeholder={props.label}
        autoComplete="off"
        maxLength={512}
        value={props.value}
        onChange={(event) => props.onChange(event.target.value)}
      />
    </div>
  );
}
