import type { ComponentProps, ReactNode } from 'react';
import styles from './checkbox.module.css';

/** Something that is chosen or not, and takes effect when its form is saved. */
export function Checkbox(
  props: Omit<ComponentProps<'input'>, 'type' | 'onChange' | 'className'> & {
    label: string;
    onChange?: (checked: boolean) => void;
  },
): ReactNode {
  const { label, onChange, ...input } = props;
  return (
    <label className={styles['checkbox']}>
      <input {...input} type="checkbox" onChange={onChange && ((event) => onChange(event.target.checked))} />
      {label}
    </label>
  );
}
