/** The bundler gathers style sheets into one file; to the types they are nothing. */
declare module '*.css';
