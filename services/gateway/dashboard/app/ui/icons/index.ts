/** The icons of pages: those of Lucide that are imported somewhere ("npm run generate" adds them), and our own. */
export * from './hang-up.tsx';
export * from './lucide.tsx';
