import type { ReactNode } from 'react';
import type { Icon } from './icon.ts';
import styles from './empty-state.module.css';

/** Describes the future content, and offers one action that creates it. */
export function EmptyState(props: { icon: Icon; title: string; children?: ReactNode; action?: ReactNode }): ReactNode {
  const { icon: Shape } = props;
  return (
    <div className={styles['empty']}>
      <Shape size={24} strokeWidth={1.75} aria-hidden="true" />
      <p className={styles['title']}>{props.title}</p>
      {props.children && <div className={styles['text']}>{props.children}</div>}
      {props.action}
    </div>
  );
}
