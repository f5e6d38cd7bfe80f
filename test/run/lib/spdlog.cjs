// Takes the place of the native @vscode/spdlog in the VS Code build of vscode.mjs: the same calls, plain appending to the file.
const fs = process.getBuiltinModule('node:fs');
const path = process.getBuiltinModule('node:path');

const LEVELS = ['trace', 'debug', 'info', 'warning', 'error', 'critical'];

class Logger {
  /** @param {string} _name @param {string} file */
  constructor(_name, file) {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    /** @type {number | undefined} */
    this.handle = fs.openSync(file, 'a');
    this.level = 2;
    this.plain = false;
  }

  /** @param {number} level @param {string} text */
  append(level, text) {
    if (this.handle === undefined || level < this.level) return;
    const time = new Date().toISOString().replace('T', ' ').replace('Z', '');
    fs.writeSync(this.handle, this.plain ? text : `${time} [${LEVELS[level]}] ${text}\n`);
  }

  getLevel() {
    return this.level;
  }

  /** @param {number} level */
  setLevel(level) {
    this.level = level;
  }

  clearFormatters() {
    this.plain = true;
  }

  setPattern() {
    this.plain = false;
  }

  flush() {
    // Every line is written at once; there is nothing to flush.
  }

  drop() {
    if (this.handle === undefined) return;
    fs.closeSync(this.handle);
    this.handle = undefined;
  }

  /** @param {string} text */
  trace(text) {
    this.append(0, text);
  }

  /** @param {string} text */
  debug(text) {
    this.append(1, text);
  }

  /** @param {string} text */
  info(text) {
    this.append(2, text);
  }

  /** @param {string} text */
  warn(text) {
    this.append(3, text);
  }

  /** @param {string} text */
  error(text) {
    this.append(4, text);
  }

  /** @param {string} text */
  critical(text) {
    this.append(5, text);
  }
}

/** @param {string} name @param {string} file @returns {Promise<Logger>} */
const create = (name, file) => Promise.resolve(new Logger(name, file));

// One `exports.x =` line each: the server loads this with import(), which finds names only in this form.
exports.version = 0;
exports.Logger = Logger;
exports.setLevel = () => undefined;
exports.setFlushOn = () => undefined;
exports.createRotatingLogger = create;
exports.createAsyncRotatingLogger = create;
