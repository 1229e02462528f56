//go:build tools

// Package programs names the programs that the harness builds from this module.
package programs

import (
	_ "go.etcd.io/etcd/server/v3"
)
