/** In place of the texts of components in languages that the application does not have. */
export default {};
