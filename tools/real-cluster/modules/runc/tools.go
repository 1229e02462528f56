//go:build tools

// Package programs names the programs that the harness builds from this module.
package programs

import _ "github.com/opencontainers/runc"
