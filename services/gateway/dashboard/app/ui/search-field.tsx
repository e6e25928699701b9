import { type ReactNode, useId } from 'react';
import { classes } from './classes.ts';
import { MEDIUM } from './icon.ts';
import { Search } from './icons/index.ts';
import styles from './input-box.module.css';
import text from './text.module.css';

/** The search of a page; the key `/` leads to it. */
export function SearchField(props: { label: string; value: string; onChange: (value: string) => void }): ReactNode {
  const id = useId();
  return (
    <div className={classes(styles['box'], styles['search'])} role="search">
      <Search {...MEDIUM} />
      <label htmlFor={id} className={text['unseen']}>
        {props.label}
      </label>
      <input
        id={id}
        type="search"
        className={styles['input']}
        data-search
        placeholder={props.label}
        autoComplete="off"
        maxLength={512}
        value={props.value}
        onChange={(event) => props.onChange(event.target.value)}
      />
    </div>
  );
}
