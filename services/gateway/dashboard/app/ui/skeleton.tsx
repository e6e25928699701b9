import type { ReactNode } from 'react';
import { classes } from './classes.ts';
import styles from './skeleton.module.css';
import text from './text.module.css';

/** The shape of rows that are on their way; seen only if they take a moment. `what`: for assistive technology. */
export function SkeletonRows(props: { what: string; rows?: number }): ReactNode {
  return (
    <div className={styles['rows']} role="status" aria-busy="true">
      <span className={text['unseen']}>{props.what}</span>
      {Array.from({ length: props.rows ?? 6 }, (_, row) => (
        <div key={row} className={styles['row']} aria-hidden="true">
          <span className={styles['circle']} />
          <span className={styles['lines']}>
            <span className={classes(styles['bar'], styles[`w${row % 3}`])} />
            <span className={classes(styles['bar'], styles[`v${row % 3}`])} />
          </span>
        </div>
      ))}
    </div>
  );
}

/** One line that is on its way. */
export function SkeletonBar(): ReactNode {
  return <span className={classes(styles['bar'], styles['late'])} aria-hidden="true" data-loading />;
}
