import type { ReactNode } from 'react';
import styles from './badge.module.css';
import { classes } from './classes.ts';
import type { Icon } from './icon.ts';

export type Tone = 'neutral' | 'good' | 'bad' | 'warn' | 'accent';

/** A state in words. */
export function Badge(props: { tone?: Tone; icon?: Icon; children: ReactNode }): ReactNode {
  const { tone = 'neutral', icon: Shape } = props;
  return (
    <span className={classes(styles['badge'], styles[tone])}>
      {Shape && <Shape size={12} strokeWidth={2} aria-hidden="true" />}
      {props.children}
    </span>
  );
}

/** Unseen items. `isDrawn` hides it from assistive technology, because the label already contains it. */
export function Count(props: { value: number; isDrawn?: boolean }): ReactNode {
  const className = classes(styles['count'], props.isDrawn && styles['drawn']);
  if (props.isDrawn) return <span className={className} data-count={props.value} />;
  return <span className={className}>{props.value}</span>;
}

/** A coloured dot, always beside a word. */
export function Dot(props: { tone: Tone; isLive?: boolean }): ReactNode {
  return (
    <span className={classes(styles['dot'], styles[`dot-${props.tone}`], props.isLive && styles['live'])} aria-hidden />
  );
}

/** A key of the keyboard. */
export function Kbd({ children }: { children: ReactNode }): ReactNode {
  return <kbd className={styles['kbd']}>{children}</kbd>;
}
