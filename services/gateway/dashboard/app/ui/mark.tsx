import type { ReactNode } from 'react';
import styles from './mark.module.css';

/** The sign of the product: two halves of a conversation. */
export function Mark(): ReactNode {
  return (
    <svg className={styles['mark']} viewBox="0 0 24 24" aria-hidden="true">
      <path d="M11 2.5v13a6.5 6.5 0 0 1 0-13Z" />
      <path d="M13 8.5v13a6.5 6.5 0 0 0 0-13Z" opacity=".62" />
    </svg>
  );
}
