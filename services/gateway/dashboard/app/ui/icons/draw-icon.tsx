import type { ReactNode } from 'react';
import type { Icon } from '../icon.ts';

/** An icon from the elements of its SVG, on Lucide's grid of 24. */
export function icon(elements: ReactNode): Icon {
  return ({ size, ...attributes }) => (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeLinecap="round"
      strokeLinejoin="round"
      {...attributes}
    >
      {elements}
    </svg>
  );
}
