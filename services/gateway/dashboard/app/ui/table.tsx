/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role -- on a phone the elements are displayed otherwise and lose their own roles */
import type { ComponentProps, ReactNode } from 'react';
import { classes } from './classes.ts';
import styles from './table.module.css';
import text from './text.module.css';

export interface Column {
  readonly label: string;
  /** For figures and times. */
  readonly align?: 'end' | undefined;
  /** The heading is for assistive technology only, as above buttons. */
  readonly hideLabel?: boolean | undefined;
}

/**
 * A table whose rows become cards on a phone. Its rows are `Row`s of `Cell`s. Roles are spelt out: a table that is displayed otherwise
 * would lose them.
 */
export function Table(props: { label: string; columns: readonly Column[]; children: ReactNode }): ReactNode {
  return (
    <table className={styles['table']} role="table" aria-label={props.label}>
      <thead role="rowgroup">
        <tr role="row">
          {props.columns.map(({ label, align, hideLabel }) => (
            <th key={label} role="columnheader" scope="col" className={align && styles[align]}>
              {hideLabel ? <span className={text['unseen']}>{label}</span> : label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">{props.children}</tbody>
    </table>
  );
}

/** A table that is what its page is about: it begins at the bar, and the texts in its cells are below the title. */
export function PageTable(props: { className?: string | undefined; children: ReactNode }): ReactNode {
  return <div className={classes(styles['of-page'], props.className)}>{props.children}</div>;
}

/** The first link in it covers the whole row; other controls in it stay usable. */
export function Row(props: ComponentProps<'tr'> & { isLink?: boolean }): ReactNode {
  const { isLink, ...row } = props;
  return <tr {...row} role="row" className={classes(styles['row'], isLink && styles['link-row'], row.className)} />;
}

export function Cell(props: {
  align?: 'end' | undefined;
  /** The label of the value in a card on a phone. */
  label?: string;
  /** The name of the row, first in a card. */
  isName?: boolean;
  children?: ReactNode;
}): ReactNode {
  const className = classes(styles['cell'], props.align && styles[props.align], props.isName && styles['name']);
  const { children } = props;
  if (props.isName)
    return (
      <th role="rowheader" scope="row" className={className}>
        {children}
      </th>
    );
  return (
    <td role="cell" className={className} data-label={props.label}>
      {children}
    </td>
  );
}

/** A heading over the whole width, such as a day. It is no row of data: who counts rows leaves it out. */
export function GroupRow(props: { columns: number; children: ReactNode }): ReactNode {
  return (
    <tr role="presentation" className={styles['group']}>
      <th role="presentation" colSpan={props.columns}>
        {props.children}
      </th>
    </tr>
  );
}

/** Buttons of a row: seen when the row is pointed at or has the focus, on a phone always. */
export function RowActions({ children }: { children: ReactNode }): ReactNode {
  return <span className={styles['actions']}>{children}</span>;
}
