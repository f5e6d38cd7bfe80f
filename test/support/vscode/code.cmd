@echo off
rem The executable that @vscode/test-electron starts on Windows; see code.mjs.
node "%~dp0code.mjs" %*
