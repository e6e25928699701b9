declare module '*.module.css' {
  /** The names of the classes in the page. */
  const classes: Readonly<Record<string, string>>;
  export default classes;
}

declare module '*.css';
