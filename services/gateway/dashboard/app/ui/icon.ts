import type { ReactNode, SVGProps } from 'react';

/** An icon of Lucide (`icons/`); always beside a word, or with the name of its button. */
export type Icon = (props: IconProps) => ReactNode;

interface IconProps extends SVGProps<SVGSVGElement> {
  readonly size: number;
  readonly strokeWidth: number;
}

/** Sizes and stroke of the design. */
export const SMALL = { size: 14, strokeWidth: 1.75, 'aria-hidden': true } as const;
export const MEDIUM = { size: 16, strokeWidth: 1.75, 'aria-hidden': true } as const;
export const LARGE = { size: 20, strokeWidth: 1.75, 'aria-hidden': true } as const;
