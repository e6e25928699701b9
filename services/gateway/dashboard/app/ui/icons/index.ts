/** The icons of pages: those of Lucide that `src/lucide-icons.ts` names, and our own. */
export * from './hang-up.tsx';
export * from './lucide.tsx';
