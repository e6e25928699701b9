import type { ReactNode } from 'react';
import { classes } from './classes.ts';
import styles from './segments.module.css';

/** A choice between a few views of the same thing, one of which is always chosen. */
export function Segments<Value extends string>(props: {
  label: string;
  options: readonly { readonly value: Value; readonly name: string }[];
  value: Value;
  onChange: (value: Value) => void;
  className?: string | undefined;
}): ReactNode {
  return (
    <div className={classes(styles['segments'], props.className)} role="group" aria-label={props.label}>
      {props.options.map(({ value, name }) => (
        <button
          key={value}
          type="button"
          className={styles['segment']}
          aria-pressed={value === props.value}
          onClick={() => props.onChange(value)}
        >
          {name}
        </button>
      ))}
    </div>
  );
}
